/** For so many milliseconds after something has come up, what is pressed was meant for what stood
 * there before. */
export const DEAF = 800;
