import { startWork } from "../worker/work.js";
import { createLinkingTask } from "./linking-task.js";

startWork({ create: createLinkingTask, hasParts: true });
