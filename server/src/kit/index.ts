// kit: small pure tools that know nothing of the product.

// Owns: the clock's type, ids, key texts with checksums, hashing, constant-time comparison, sealing, tax id digits, addresses, bounded
// maps. Does not own: anything with a database, a request or a configuration in it.
export { BoundedMap, inTurns } from './bounded-map.ts'
export type { Clock, Now } from './clock.ts'
export { createClock, DAY_MS, describeClock, fixedClock, fixOnSetBack, HOUR_MS, isoTime, MINUTE_MS, SET_BACK_MS } from './clock.ts'
export { normaliseEmail, plainEmail } from './email-address.ts'
export {
  FOREIGN_COUNTRIES,
  formatPersonalId,
  maskPersonalId,
  type PersonalId,
  parseForeignId,
  parsePersonalIdText,
  personalIdText,
} from './foreign-id.ts'
export { constantTimeEqual, hmacKey, hmacSha256, sha256Base64Url, sha256Hex, versionOf } from './hashing.ts'
export { firstIdAt, isUuid, newId, timeOfId } from './ids.ts'
export { hasFewValues } from './json-size.ts'
export { keyHint, mintKey, mintSecret, parseKeyKind } from './keys.ts'
export { deriveKeys, type MasterKeys, parseMasterKey } from './master-key.ts'
export { finishStart } from './process-memory.ts'
export { createSealer, type Sealer } from './sealing.ts'
export { searchedTerms, searchTerms } from './search-terms.ts'
export { formatTaxId, maskTaxId, mistypedTaxId, parseTaxId, type TaxId } from './tax-id.ts'
export { isVisibleLine } from './visible-line.ts'
