/** What helps to work on a text, and is not needed to see it: getting about, the list of what is marked,
 * the same words elsewhere, the pen, grips, who is likely to be meant. */

import "../text/edge-handles.js";
import "../text/name-similarity.js";
import "./clash-words.js";
import "./entity-list.js";
import "./jumps.js";
import "./menu-aids.js";
import "./occurrence-offer.js";
import "./offer-buttons.js";
import "./pen.js";
import "./reading-actions.js";
import "./reading-rail.js";
