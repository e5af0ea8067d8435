import { startWork } from "../shared/work.js";
import { createRelationTask } from "./task.js";

startWork({ create: createRelationTask });
