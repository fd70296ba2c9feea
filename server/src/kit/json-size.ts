const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const BRACKET = 91
const BRACE = 123

/**
 * Whether a JSON text holds no more than about `most` values, without parsing it: outside of strings every value but the first of its list
 * follows a comma, and every list begins with a bracket. A text of 256 KiB can hold a hundred thousand values, and parsing them takes a
 * hundred times as long as this. It does not check whether the text is JSON.
 */
export function hasFewValues(text: string, most: number): boolean {
  let count = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (isInString) {
      if (character === BACKSLASH) i++
      else if (character === QUOTE) isInString = false
    } else if (character === QUOTE) isInString = true
    else if (character === COMMA || character === BRACKET || character === BRACE) count++
    if (count > most) return false
  }
  return true
}
