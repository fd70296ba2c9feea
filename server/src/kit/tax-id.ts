/** A checked Brazilian tax id: `digits` holds only its 11 (CPF) or 14 (CNPJ) characters. */
export interface TaxId {
  kind: 'cpf' | 'cnpj'
  digits: string
}

const CPF_FORM = /^(\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/
const CNPJ_FORM = /^([0-9A-Z]{12}\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2})$/

/** A quick test of the forms, which rejects most texts: whole deliveries are searched. */
const LENGTHS: ReadonlySet<number> = new Set([11, 14, 18])
const SHORTEST = 11

/**
 * Reads a CPF or CNPJ, bare or in its printed form, in any letter case; `undefined` when the form or a check digit is wrong. The CNPJ may
 * hold letters (Instrução Normativa RFB 2.229/2024, in force since July 2026): a character counts as its ASCII code less 48. One character
 * repeated throughout satisfies the arithmetic but is never issued.
 */
export function parseTaxId(text: string): TaxId | undefined {
  if (text.length < SHORTEST || !mayEndWithDigit(text)) return undefined
  const trimmed = text.trim()
  if (!LENGTHS.has(trimmed.length)) return undefined
  // Only ASCII: other letters fold to these too (`ſ` to `S`), but no card contains them.
  const upper = trimmed.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  const kind = CPF_FORM.test(upper) ? 'cpf' : CNPJ_FORM.test(upper) ? 'cnpj' : undefined
  if (!kind) return undefined
  const digits = upper.replace(/[./-]/g, '')
  if (/^(.)\1*$/.test(digits) || digits.startsWith('000000000000')) return undefined
  const isRight = kind === 'cpf' ? hasCheckDigits(digits, 9, 11) : hasCheckDigits(digits, 12, 9)
  return isRight ? { kind, digits } : undefined
}

/**
 * The kind of tax id that a text has the form of while it is none: its check digits are wrong. Eleven bare digits that are a mobile phone
 * (area code, then 9) are not taken for a CPF.
 */
export function mistypedTaxId(text: string): TaxId['kind'] | undefined {
  const trimmed = text.trim().toUpperCase()
  if (parseTaxId(trimmed) || /^[1-9][1-9]9\d{8}$/.test(trimmed)) return undefined
  return CPF_FORM.test(trimmed) ? 'cpf' : CNPJ_FORM.test(trimmed) && /\d/.test(trimmed.slice(0, 8)) ? 'cnpj' : undefined
}

/** Whether the last character is a digit, or one that might be trimmed: most texts are rejected by it alone. */
function mayEndWithDigit(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return (last >= 48 && last <= 57) || last <= 32 || last > 127
}

/** As printed: `529.982.247-25`, `12.ABC.345/01DE-35`. */
export function formatTaxId({ kind, digits }: TaxId): string {
  return kind === 'cpf'
    ? digits.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : digits.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
}

/** For viewers who need not know the number: the middle of a CPF and the root of a CNPJ are hidden. */
export function maskTaxId(taxId: TaxId): string {
  const printed = formatTaxId(taxId)
  return taxId.kind === 'cpf' ? `***${printed.slice(3, 11)}-**` : `**.***.***${printed.slice(10, 15)}-**`
}

/** Two mod-11 check digits whose weights run 2, 3, … from the right, up to `maxWeight`, then again from 2. */
function hasCheckDigits(digits: string, length: number, maxWeight: number): boolean {
  const first = checkDigit(digits.slice(0, length), maxWeight)
  const second = checkDigit(digits.slice(0, length) + first, maxWeight)
  return digits.slice(length) === `${first}${second}`
}

function checkDigit(digits: string, maxWeight: number): number {
  const sum = [...digits].reverse().reduce((total, character, i) => total + (character.charCodeAt(0) - 48) * ((i % (maxWeight - 1)) + 2), 0)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
