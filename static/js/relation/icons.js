/**
 * The icons of the relations: strokes on a ground of 20 by 20, 1.5 wide, in the colour of the text.
 * The subject is the circle, the object the square, the arrow goes from one to the other; what lies
 * above says which relation it is, on the side of the one that it happens to.
 */

const DISC = "M1.5 14.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z";
const SQUARE = "M13.5 12h5v5h-5z";
const DAY = `${SQUARE}M13.5 13.75h5M15 11v1M17 11v1`; // an object that is a date
const ARROW = "M8.25 14.5h3.5M10.25 13l1.5 1.5l-1.5 1.5";
const BOTH_WAYS = "M8.25 13.6h3.5M8.25 15.4h3.5";
const LEFT = 0.5;
const CENTRE = 6;
const RIGHT = 11.75;
const TOP = 1;

// Each in a box of 8 by 8; every stroke begins at the box's corner.
const SUNRISE = [
  "m0 7h8", "m1.5 7a2.5 2.5 0 0 1 5 0", "m4 .5v2", "m.5 2.5l1.25 1.25", "m7.5 2.5l-1.25 1.25",
];
const STONE = ["m1 8v-4.5a3 3 0 0 1 6 0v4.5z", "m2.9 4h2.2"];
const HOUSE = ["m0 4l4 -4l4 4", "m1.5 3v5h5v-5"];
const FLAG = ["m1 8v-8h6.5l-1.75 2l1.75 2h-6.5"];
const CROSSED = ["m1.25 1.25l5.5 5.5", "m6.75 1.25l-5.5 5.5"];
const SHARE = ["m4 .5a3.5 3.5 0 1 0 3.5 3.5h-3.5z", "m6 0.25a3 3 0 0 1 1.75 1.75"];
const PERCENT = [
  "m1 7.25l6 -6.5", "m.5 1.5a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0 -2.2 0",
  "m5.3 6.5a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0 -2.2 0",
];
const CAP = ["m-.5 3l4.5 -2.25l4.5 2.25l-4.5 2.25z", "m1.5 4.25v2.5c1.5 1.25 3.5 1.25 5 0v-2.5"];
const CASE = ["m.25 2.25h7.5v5.5h-7.5z", "m2.75 2.25v-1.75h2.5v1.75", "m.25 4.75h7.5"];
const RINGS = [
  "m-.25 4a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0",
  "m3.05 4a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0",
];
const TREE = ["m4 8.5v-5", "m4 6l2 -1.5", "m1 3a3 3 0 1 0 6 0a3 3 0 1 0 -6 0"];
const MEDAL = [
  "m1.5 2.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0", "m2.4 4.5l-.9 3.75l2.5 -1.4l2.5 1.4l-.9 -3.75",
];
const HOUSE_OF_MANY = ["m1.25 8v-8h5.5v8z", "m3.25 2.25h1.5", "m3.25 4.5h1.5"];

function above(place, glyph, ground = DISC + ARROW + SQUARE) {
  return glyph.map((stroke) => `M${place} ${TOP}${stroke}`).join("") + ground;
}

const TO_A_DAY = DISC + ARROW + DAY;
const MUTUAL = DISC + BOTH_WAYS + SQUARE;

export const RELATION_ICONS = {
  "per-place-of-birth": above(CENTRE, SUNRISE),
  "per-place-of-residence": above(RIGHT, HOUSE),
  "per-place-of-death": above(CENTRE, STONE),
  "per-date-of-birth": above(LEFT, SUNRISE, TO_A_DAY),
  "per-date-of-death": above(LEFT, STONE, TO_A_DAY),
  "per-organizations-founded": above(RIGHT, FLAG),
  "per-holds-shares-in": above(RIGHT, SHARE),
  "per-schools-attended": above(RIGHT, CAP),
  "per-employee-or-member-of": above(CENTRE, CASE),
  "per-parents":
    "M1.5 15a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0zM12 2h5.5v5.5H12zM8.5 15h6.25v-4.75" +
    "M13 12l1.75 -1.75l1.75 1.75",
  "per-children":
    "M1.5 5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0zM12.75 12.25h5.5v5.5h-5.5zM4 9.5v5.5h6.5" +
    "M8.75 13.25l1.75 1.75l-1.75 1.75",
  "per-spouse": above(CENTRE, RINGS, MUTUAL),
  "per-siblings": `${DISC}${SQUARE}M4 9.75v-3.5h12v3.5M10 6.25v-4`,
  "per-other-family": above(CENTRE, TREE, MUTUAL),
  "per-title": above(RIGHT, MEDAL),
  "org-place-of-headquarters": above(CENTRE, HOUSE_OF_MANY),
  "org-date-founded": above(LEFT, FLAG, TO_A_DAY),
  "org-date-dissolved": above(LEFT, CROSSED, TO_A_DAY),
  "org-founded-by": above(LEFT, FLAG),
  "org-member-of":
    "M1 10a2.25 2.25 0 1 0 4.5 0a2.25 2.25 0 1 0 -4.5 0zM9.5 7.5V3.5h9v13h-9v-4M7.5 10h7" +
    "M12.5 8l2 2l-2 2",
  "org-members":
    "M10.9 6.6a5.5 5.5 0 1 0 0 6.8M14.5 7.75h4.5v4.5h-4.5zM5 10h7" +
    "M10.25 8.25l1.75 1.75l-1.75 1.75",
  "org-subsidiaries":
    "M7.5 3.75a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0zM7.5 13.5h5v5h-5zM10 6.25v4.75" +
    "M8.25 9.25l1.75 1.75l1.75 -1.75M4 18.5v-9h2M16 18.5v-9h-2",
  "org-parents":
    "M7.5 16.25a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0zM7.5 1.5h5v5h-5zM10 13.75V9" +
    "M8.25 10.75l1.75 -1.75l1.75 1.75M4 1.5v9h2M16 1.5v9h-2",
  "org-shareholders": above(LEFT, SHARE),
  "org-holds-shares-in": above(RIGHT, PERCENT),
  none: "M1.5 10a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0zM13.5 7.5h5v5h-5zM12 4l-4 12",
  unsure:
    "M1 10a2 2 0 1 0 4 0a2 2 0 1 0 -4 0zM15 8h4v4h-4z" +
    "M7.75 7.75a2.25 2.25 0 1 1 3.5 1.9c-.9 .6 -1.25 1 -1.25 2M10 14.4v.2",
};

/** For relations that a project has thought of itself. */
export const ANY_RELATION =
  "M1.5 10a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0zM13.5 7.5h5v5h-5z" +
  "M8.25 10h3.5M10.25 8.5l1.5 1.5l-1.5 1.5";
