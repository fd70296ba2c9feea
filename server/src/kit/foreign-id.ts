import { formatTaxId, maskTaxId, parseTaxId, type TaxId } from './tax-id.ts'

/** A document of a user without a Brazilian tax id. `country` is of ISO 3166-1 alpha-2; `number` holds capital letters and digits only. */
export interface ForeignId {
  kind: 'passport' | 'foreign_tax_id'
  country: string
  number: string
}

/** A user's number with a state: Brazil's or another one's. */
export type PersonalId = TaxId | ForeignId

/** ISO 3166-1 alpha-2, without Brazil, whose citizens have a CPF. */
export const FOREIGN_COUNTRIES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ ' +
  'DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT ' +
  'JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI ' +
  'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK ' +
  'TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ')

const NUMBER = /^(?=.*\d)[A-Z0-9]{4,20}$/

/** Reads a typed foreign document: spaces, dots, dashes, slashes and letter case are ignored. `undefined` for an invalid form. */
export function parseForeignId(kind: string, country: string, text: string): ForeignId | undefined {
  const number = text
    .trim()
    .toUpperCase()
    .replace(/[\s./-]/g, '')
  if (kind !== 'passport' && kind !== 'foreign_tax_id') return undefined
  if (!FOREIGN_COUNTRIES.includes(country) || !NUMBER.test(number) || /^(.)\1*$/.test(number)) return undefined
  return { kind, country, number }
}

/** The text that is sealed and looked up: the bare digits of a CPF or CNPJ, a foreign document with its kind and country. */
export function personalIdText(id: PersonalId): string {
  return 'digits' in id ? id.digits : `${id.kind}:${id.country}:${id.number}`
}

/** The inverse of `personalIdText`. */
export function parsePersonalIdText(text: string): PersonalId | undefined {
  const [kind = '', country, number] = text.split(':')
  return country === undefined || number === undefined ? parseTaxId(text) : parseForeignId(kind, country, number)
}

/** As printed: `529.982.247-25`, `PT AB123456`. */
export function formatPersonalId(id: PersonalId): string {
  return 'digits' in id ? formatTaxId(id) : `${id.country} ${id.number}`
}

/** For viewers who need not know the number: of a foreign document the country and the last three characters. */
export function maskPersonalId(id: PersonalId): string {
  if ('digits' in id) return maskTaxId(id)
  return `${id.country} ${'*'.repeat(id.number.length - 3)}${id.number.slice(-3)}`
}
