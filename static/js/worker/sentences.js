import { gettext } from "./language.js";

/** Told beside a task. */
export const SENTENCES = {
  back: gettext("You are back at your task."),
  fromElsewhere: gettext("The task before was handed in from another tab."),
  notLoaded: gettext("This can’t be loaded at the moment. Load the page again, or try it later."),
};

export const ON_THE_WAY = { title: gettext("Your task is on its way"), text: "" };

export const BROKEN = {
  title: gettext("This page has failed"),
  text: gettext("Your work is kept. Load the page again to go on; if it fails again, tell whoever sent you the link."),
};
