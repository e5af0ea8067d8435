/** What a worker needs soon, and not to begin: what is asked in dialogs, what stands between tasks, and
 * what changes the keys. */

import "./doubt-note.js";
import "./draft-elsewhere.js";
import "./feedback-panel.js";
import "./key-settings.js";
import "./new-instructions.js";
import "./notices.js";
import "./outcomes.js";
import "./side-actions.js";
