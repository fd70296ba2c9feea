import { createInterface, type Interface } from 'node:readline'
import { PassThrough } from 'node:stream'

const PLAIN = /^[ -~]*$/
/** Several characters that are shown as one: a flag, a family, a hand with a colour. */
const EMOJI = /^\p{RGI_Emoji}$/v
const EMOJI_WIDTH = 2

/** Made when first needed, as is the editor: together they take 40 ms, and hardly a command needs them. */
let segmenter: Intl.Segmenter | undefined

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

/** The columns that a text takes at a terminal: East Asian characters take two, combining marks none. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemesOf(text)) width += EMOJI.test(segment) ? EMOJI_WIDTH : widthOf(segment)
  return width
}

/** The spaces after `text` up to `width` columns. */
export function spacesAfter(text: string, width: number): string {
  return ' '.repeat(Math.max(width - textWidth(text), 0))
}

/** At most `most` characters as they are seen, the last of them an ellipsis where something is left out. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  const shown = Array.from(graphemesOf(text), ({ segment }) => segment)
  return shown.length <= most ? text : `${shown.slice(0, most - 1).join('')}…`
}

/** As much of a text as takes at most `width` columns, the last of them an ellipsis where something is left out. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let shown = ''
  let left = width - 1
  for (const { segment } of graphemesOf(text)) {
    left -= textWidth(segment)
    if (left < 0) break
    shown += segment
  }
  return `${shown}…`
}

/** Node's line editor knows the widths of Unicode, and says where the cursor stands after a prompt. It never reads or writes here. */
let editor: Interface | undefined

function widthOf(segment: string): number {
  editor ??= createInterface({ input: new PassThrough() })
  editor.setPrompt(segment)
  return editor.getCursorPos().cols
}
