/** Control characters, breaks of lines and paragraphs, and the marks that change the direction of all that follows. */
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
/** Anything but spaces, combining marks, and characters that show nothing (U+2800 is a letter of Braille without dots). */
const VISIBLE = /[^\s\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Whether a text for users, as a name, is one line with something visible in it, of at most so many characters, and does not change the
 * direction of the text after it.
 */
export function isVisibleLine(text: string, maxCharacters: number): boolean {
  return text.length <= maxCharacters && VISIBLE.test(text) && !NOT_ONE_LINE.test(text)
}
