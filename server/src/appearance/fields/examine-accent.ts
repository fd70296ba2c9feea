import { judgeAccent } from '../colours/palette.ts'

/** The accent in its normal form with the contrast that it has where it has the least; `undefined` for no colour at all. Pure. */
export function examineAccent(text: string): { accent: string; ratio: number; nearest: string | undefined } | undefined {
  const accent = normalAccent(text)
  if (accent === undefined) return undefined
  const judged = judgeAccent(accent)
  return { accent, ratio: judged.ratio, nearest: 'nearest' in judged ? judged.nearest : undefined }
}

function normalAccent(text: string): string | undefined {
  const [, short, long] = /^#?(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text.trim()) ?? []
  const digits = (short?.replace(/./g, '$&$&') ?? long)?.toLowerCase()
  return digits === undefined ? undefined : `#${digits}`
}
