import { startWork } from "../worker/work.js";
import { createChoiceTask } from "./task.js";

startWork({ create: createChoiceTask });
