import { startWork } from "../worker/work.js";
import { prepareSuggestions } from "./suggestions.js";
import { createEntityTask } from "./task.js";

startWork({ create: createEntityTask, prepare: prepareSuggestions });
