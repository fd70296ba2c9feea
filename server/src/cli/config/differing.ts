import type { Difference, Differing } from '../../admin/index.ts'
import { paragraphs, type Text } from '../command/layout.ts'
import { differenceLines } from './difference-lines.ts'

export function differingJson({ differences, unlisted }: Differing) {
  return {
    same: differences.length === 0,
    differences: differences.map(({ path, kind, before = null, after = null }: Difference) => ({
      path: path.join('.'),
      kind,
      before,
      after,
    })),
    unlisted,
  }
}

export function differingText({ differences, unlisted }: Differing): Text {
  const left = unlisted.map((path) => `${path} was declared before and is not in the file; it stays.`)
  return paragraphs(differences.length === 0 ? 'All is as the file says.' : differenceLines(differences).join('\n'), left.join('\n'))
}
