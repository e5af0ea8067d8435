/**
 * One drawing for each moment, on a ground of 200 by 160: what is filled (f), drawn in ink (k), and
 * drawn in the accent (w).
 */
export const DRAWINGS = {
  // A stone on which gold is tried, with two streaks.
  practice: {
    f: "M50 118l-16-40 34-36 66 8 20 34-26 36z",
    k: "M50 118l-16-40 34-36 66 8 20 34-26 36zM34 78l44 2 56-30M78 80l-28 38M78 80l76 4M20 134h160",
    w: "M96 98l36-6M92 108l36-6",
  },
  // A sheet with a seal.
  test: {
    f: "M100 96a26 26 0 1 0 52 0a26 26 0 1 0-52 0z",
    k: "M50 30h74v38M110 130H50V30M64 50h46M64 66h36M64 82h26M100 96a26 26 0 1 0 52 0a26 26 0 1 0-52 0zM112 120l-6 24 20-10 20 10-6-24",
    w: "M114 96l9 9 16-18",
  },
  // A pile of sheets that is done.
  done: {
    f: "M40 104l60 24 60-24v14l-60 24-60-24z",
    k: "M40 74l60-24 60 24-60 24zM40 74v44l60 24 60-24V74M40 88l60 24 60-24M40 104l60 24 60-24",
    w: "M84 74l11 9 22-17",
  },
  // An empty tray.
  empty: {
    f: "M44 96h34l8 12h28l8-12h34v34H44z",
    k: "M44 96h34l8 12h28l8-12h34v34H44zM44 96l16-40h80l16 40M20 142h160M76 72h48M72 84h56",
    w: "M100 20v18M74 26l8 14M126 26l-8 14",
  },
};
