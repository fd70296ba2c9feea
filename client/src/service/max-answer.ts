/**
 * Characters. Portaria's answers have a few hundred, its keys a few thousand. A longer answer is not Portaria's, and could fill this
 * server's memory.
 */
export const MAX_ANSWER = 65_536
