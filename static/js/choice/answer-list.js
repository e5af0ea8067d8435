const LONGEST_OF_MANY = 16; // characters of a name that leaves room for another beside it, on a phone too

/** A list that scrolls by itself fades out at its lower edge as long as more of it lies below. */
export function tellMoreBelow(list) {
  const look = () => {
    list.classList.toggle("has-more", list.scrollHeight - list.scrollTop - list.clientHeight > 8);
  };
  list.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(list);
}

/** In another column of many answers. */
export function isBeside(one, other) {
  const [place, from] = [one, other].map((button) => button.getBoundingClientRect());
  const isAmong = one.parentElement === other.parentElement && one.matches(".is-many > *");
  return isAmong && (place.left >= from.right || place.right <= from.left);
}

/** Whether a name leaves no room for another beside it where there are many. */
export function isBroad(name) {
  return name.length > LONGEST_OF_MANY;
}
