import { parseTaxId, searchTerms } from '../../kit/index.ts'

/** The buyer's details in a notification, besides the address. Numbers are bare; a phone is without Brazil's country code. */
export interface BuyerDetails {
  taxIds: readonly string[]
  phones: readonly string[]
  names: readonly string[]
}

/** The objects that describe a person. Elsewhere `name` belongs to a product, a plan or a card's brand. */
const OF_BUYER = /^(customer|customerdetails|buyer|payer|user|person|subscriber|student|holder|cardholder|billingdetails|shipping)$/
const NAME = /^((customer|user|buyer|payer|holder|subscriber|full|first|last)name)$/
const PHONE = /phone|fone|mobile|celular|whatsapp/
/** An id of a payment may have a tax id's check digits by chance. */
const ID = /(^|_)id$|Id$|^ref$|reference/

/** One person has no more of each. More are a mistake, and are not read. */
const MAX_OF_EACH = 5
const MAX_LENGTH = 100

/** Reads the tax ids, phones and names of people in a JSON value, by what gateways and checkouts call them. */
export function buyerDetailsIn(value: unknown): BuyerDetails {
  const found = { taxIds: new Set<string>(), phones: new Set<string>(), names: new Set<string>() }
  walk(value, fieldOf(''), false, found)
  const some = (texts: Set<string>) => [...texts].slice(0, MAX_OF_EACH)
  return { taxIds: some(found.taxIds), phones: some(found.phones), names: some(found.names) }
}

interface Found {
  taxIds: Set<string>
  phones: Set<string>
  names: Set<string>
}

/** A field's name, judged: it says whether the value is an id, a phone, a name or a person. */
interface Field {
  isId: boolean
  isPhone: boolean
  isName: boolean
  /** It is called `name`: a person's where its parent is one. */
  isPlainName: boolean
  isBuyer: boolean
  /** The value counts together with the one beside it: the area code of a phone, the first part of a name. */
  isHalf: boolean
}

/** The same few names stand in every delivery, and each takes five expressions to judge. */
const fields = new Map<string, Field>()
const MAX_FIELDS = 2_000

function fieldOf(key: string): Field {
  const known = fields.get(key)
  if (known) return known
  if (fields.size >= MAX_FIELDS) fields.clear()
  const isId = ID.test(key)
  // One form for the spellings of all gateways.
  const plain = isId ? key : key.replaceAll(/[_-]/g, '').toLowerCase()
  const field = {
    isId,
    isPhone: PHONE.test(plain),
    isName: NAME.test(plain),
    isPlainName: plain === 'name',
    isBuyer: OF_BUYER.test(plain),
    isHalf: key === 'area_code' || key === 'first_name',
  }
  fields.set(key, field)
  return field
}

function walk(value: unknown, field: Field, isOfBuyer: boolean, found: Found): void {
  if (typeof value === 'string') read(value, field, isOfBuyer, found)
  else if (typeof value === 'number') read(String(value), field, isOfBuyer, found)
  else if (Array.isArray(value)) for (const inner of value) walk(inner, field, isOfBuyer, found)
  else if (isObject(value)) walkFields(value, field, found)
}

function walkFields(value: Readonly<Record<string, unknown>>, { isPhone, isBuyer }: Field, found: Found): void {
  for (const key in value) {
    const field = fieldOf(key)
    if (field.isHalf) readHalves(value, isPhone, found)
    walk(value[key], field, isBuyer, found)
  }
}

function readHalves(value: Readonly<Record<string, unknown>>, isPhone: boolean, found: Found): void {
  const { area_code: area, number, first_name: first, last_name: last } = value
  if (isPhone && isText(area) && isText(number)) addPhone(`${area}${number}`, found)
  if (typeof first === 'string' && typeof last === 'string') found.names.add(`${first} ${last}`)
}

function read(text: string, { isId, isPhone, isName, isPlainName }: Field, isOfBuyer: boolean, found: Found): void {
  if (text.length > MAX_LENGTH) return
  const taxId = isId ? undefined : parseTaxId(text)
  if (taxId) found.taxIds.add(taxId.digits)
  else if (isPhone) addPhone(text, found)
  else if (isName || (isPlainName && isOfBuyer)) found.names.add(text)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

function addPhone(text: string, { phones }: Found): void {
  const number = nationalPhone(text)
  if (number !== undefined) phones.add(number)
}

/**
 * The digits by which a phone is found, however it was written: without signs, leading zeros and Brazil's country code. `undefined` for a
 * text that is no phone.
 */
export function nationalPhone(text: string): string | undefined {
  if (!/^[\d\s()+.-]{8,25}$/.test(text)) return undefined
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '')
  const national = digits.length >= 12 && digits.startsWith('55') ? digits.slice(2) : digits
  return national.length >= 8 && national.length <= 13 ? national : undefined
}

/** JSON that `buyerDetailsIn` reads again, with the address; `undefined` where nothing is known. */
export function buyerJson({ taxIds, phones, names }: BuyerDetails, email?: string): string | undefined {
  const details = [...names.map((name) => ({ name })), ...phones.map((phone) => ({ phone })), ...taxIds.map((document) => ({ document }))]
  const fields = email === undefined ? details : [...details, { email }]
  return fields.length === 0 ? undefined : JSON.stringify({ customer: fields })
}

/** The terms by which a notification is found. */
export function buyerTerms({ taxIds, phones, names }: BuyerDetails): string[] {
  return [...taxIds.map(taxIdTerm), ...phones.map(phoneTerm), ...searchTerms(...names).map(nameTerm)]
}

export const taxIdTerm = (digits: string) => `tax-id ${digits}`
export const phoneTerm = (national: string) => `phone ${national}`
export const nameTerm = (term: string) => `word ${term}`
