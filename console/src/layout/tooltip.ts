/** A tooltip stands in the landmark of its button, and not at the end of the document, which is in none. */
export const IN_THE_BAR = { popper: { disablePortal: true } } as const
