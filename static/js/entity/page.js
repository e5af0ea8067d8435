import { startWork } from "../shared/work.js";
import { createEntityTask } from "./task.js";

startWork({ create: createEntityTask });
