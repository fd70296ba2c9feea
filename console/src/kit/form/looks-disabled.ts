/** The look of a button that is busy and keeps the focus: `aria-disabled`, and not `disabled`. */
export const LOOKS_DISABLED = { '&[aria-disabled=true]': { opacity: 0.5, pointerEvents: 'none' } } as const
