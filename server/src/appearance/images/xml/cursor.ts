import { NotUnderstood } from './decode.ts'

export interface Cursor {
  text: string
  at: number
  elements: number
  /** The match of a sticky expression here, which is then behind the cursor. */
  take(expression: RegExp): RegExpExecArray | undefined
}

export function createCursor(text: string): Cursor {
  return {
    text,
    at: 0,
    elements: 0,
    take(expression) {
      expression.lastIndex = this.at
      const match = expression.exec(this.text)
      if (match) this.at = expression.lastIndex
      return match ?? undefined
    },
  }
}

/** The place after a text that must follow. */
export function endOf({ text, at }: Cursor, end: string, from: number): number {
  const found = text.indexOf(end, at + from)
  if (found < 0) throw new NotUnderstood()
  return found + end.length
}

export const SPACE = /\s*/y
