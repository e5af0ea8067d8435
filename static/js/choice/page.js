import { startWork } from "../worker/work.js";
import { createChoiceTask, forgetBeforeNotice } from "./task.js";

startWork({ create: createChoiceTask, prepare: forgetBeforeNotice });
