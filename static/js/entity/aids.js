/** What helps to get about in a text, and is not needed to show it: it is loaded in idle time. */

import "./jumps.js";
import "./reading-rail.js";
