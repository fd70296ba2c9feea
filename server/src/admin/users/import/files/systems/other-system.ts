import type { FirebaseParameters } from '../export-parts.ts'
import type { Fields } from '../export-values.ts'
import type { LineRefusal } from '../import-record.ts'

/** Files that some systems send beside their export. */
export interface ExportParts {
  firebase?: FirebaseParameters | undefined
  /** The hashes of Auth0's users, by their ids in its database. */
  auth0Hashes?: ReadonlyMap<string, string> | undefined
  /** The secrets of their authenticator apps, by their whole ids. */
  auth0Factors?: ReadonlyMap<string, string> | undefined
}

export interface OtherSystem {
  /** The fields that only this system's exports have, all together. */
  marks: ReadonlyArray<readonly string[]>
  read(fields: Fields, parts: ExportParts): Fields | LineRefusal
}

export const BLOCKED: LineRefusal = { refused: 'the account is blocked in the other system' }
