import { startWork } from "../worker/work.js";
import { createRelationTask } from "./task.js";

startWork({ create: createRelationTask });
