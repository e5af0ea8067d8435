import { startWork } from "../shared/work.js";
import { createChoiceTask } from "./task.js";

startWork({ create: createChoiceTask });
