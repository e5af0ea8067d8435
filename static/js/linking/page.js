import { startWork } from "../worker/work.js";
import { createLinkingTask } from "./linking-task.js";
import { TaskSizes } from "./task-sizes.js";

startWork({ create: createLinkingTask, sizes: new TaskSizes() });
