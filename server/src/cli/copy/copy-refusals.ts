import type { CopyRefusal, NeverFree } from '../../admin/index.ts'
import { type DatabaseAddress, describeAddress, newerSentence } from '../../storage/index.ts'
import { visible } from '../command/layout.ts'

export function sentenceOfNeverFree({ seconds }: NeverFree): string {
  return `within ${seconds} seconds nobody left a moment between two writes: run it again at a quieter hour, or stop the service first`
}

export function copySentence(refused: CopyRefusal, to: DatabaseAddress): string {
  const target = describeAddress(to)
  switch (refused.refusal) {
    case 'needs_newer':
      return `${target}: ${newerSentence(refused.needs)}`
    case 'newer_tables':
      return `Portaria ${refused.version} has added tables to this database, which this version does not know: copy with that one`
    case 'not_empty':
      return `${target} is not empty (${refused.table} has rows): nothing was changed; name an empty database`
    case 'of_another_copy':
      return `${target} holds a part of another copy: empty it, or name another database`
    case 'copied_elsewhere':
      return `this database is being copied to ${refused.to}, or has been: go on with that one, or give it up first (--give-up)`
    case 'done_already':
      return `it has been copied to ${target} already: start the service there, or give the copy up (--give-up)`
    case 'only_fence':
      return 'this database can be read only, though no copy of it is noted: make it writable first (--give-up)'
    case 'never_free':
      return sentenceOfNeverFree(refused)
    case 'taken_over':
      return 'another process goes on with this copy: leave it to that one'
    case 'given_up':
      return `the copy was given up meanwhile: ${target} is not whole, empty it before another copy`
    case 'has_nul':
      return visible(
        `${refused.table} has a text with U+0000, which PostgreSQL can't hold, in the row ${refused.key}: correct it after --give-up`,
      )
    case 'has_other_type':
      return visible(
        `${refused.table} has a value in ${refused.column} that PostgreSQL can't hold there, in the row ${refused.key}: correct it after --give-up`,
      )
    case 'different':
      return `not the same after copying: ${refused.tables.join(', ')}. Something else has written there: give the copy up, empty ${target}, copy again`
  }
}
