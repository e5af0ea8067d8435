import { startWork } from "../worker/work.js";
import { createEntityTask } from "./task.js";

startWork({ create: createEntityTask });
