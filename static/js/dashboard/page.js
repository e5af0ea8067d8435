/** All that the managers' pages share, joined into one file: bundles/dashboard.js. */
import "./auto-save.js";
import "./copy-button.js";
import "./go-to.js";
import "./live-part.js";
import "./live-preview.js";
import "./menu.js";
import "./review-keys.js";
import "./row-choice.js";
import "./save-bar.js";
import "./section-bar.js";
import "./type-rows.js";
