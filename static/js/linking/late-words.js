/** What is told seldom, and not before somebody has begun to work. */

import "./early-submit.js";
import "./entry-question.js";
import "./key-words.js";
import "./misplaced-cards.js";
import "./namesake-question.js";
import "./no-pile-words.js";
import "./open-search.js";
import "./pile-comparison.js";
