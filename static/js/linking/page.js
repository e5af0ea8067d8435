import { startWork } from "../shared/work.js";
import { createLinkingTask } from "./linking-task.js";

startWork({ create: createLinkingTask });
