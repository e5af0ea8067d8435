/** What a task with suggestions takes beside the others. */

import "./ghost-menu.js";
import "./ghost-note.js";
import "./ghosts.js";
