import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { FOREIGN_ORIGIN, lang, tooManyPage, UNREADABLE } from '../../sign-in/index.ts'

const own = { tags: ['account'], security: [{ session: [], bound: [] }] }
const elsewhere = 'to /login for someone who is not signed in, who comes back from there'
const responses = { 403: orPage(refusal(FOREIGN_ORIGIN)), 429: tooManyPage, ...pageTooLarge, ...pageFaults }
const saved = {
  302: redirectAnswer(`To the page, with eg_session made anew, or ${elsewhere}`, { 'Set-Cookie': 'eg_session with the claims of today' }),
}
const FRESH = 'Asks for a new sign-in (302 to /login) where the last was more than ten minutes ago, and then comes back to the page.'

export const ownProfileSchema = {
  ...own,
  operationId: 'showOwnProfile',
  summary: 'One’s own name, phone, company and picture',
  querystring: z.object({ lang }),
  response: { 200: pageAnswer('The form'), 302: redirectAnswer(`T${elsewhere.slice(1)}`), ...pageFaults },
}

export const saveOwnProfileSchema = {
  ...own,
  operationId: 'saveOwnProfile',
  summary: 'Change one’s own name, phone and company',
  description:
    'All of it or nothing. The next check of every session shows the new name and company, and endpoints hear of them (user.updated). Thirty changes an hour, those of the picture included.',
  body: formBodySchema(
    z.object({
      version: z.string().describe('of the page: where another tab has saved since, nothing is saved'),
      full_name: z.string().max(100),
      phone: z.string().describe('international, or national and then Brazilian; empty for none'),
      company_name: z.string().max(100).describe('empty for none; needed where the tax id is a CNPJ'),
    }),
  ),
  response: {
    ...saved,
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'a field is wrong: the page says which' })),
    412: orPage(refusal({ 'dados alterados em outra aba': 'the page shows what is stored, beside what was typed' })),
    ...responses,
  },
}

export const savePictureSchema = {
  ...own,
  operationId: 'savePicture',
  summary: 'Choose a picture',
  description:
    'A form with one file, `picture`: a PNG of 200 KB and 2,000 pixels a side at most, by its content. It is written anew from the parts that draw, and served under an address that nobody can guess (`avatar_url`). The one before is gone.',
  body: { content: { 'multipart/form-data': { schema: z.object({ picture: z.string().meta({ format: 'binary' }) }) } } },
  response: { ...saved, 400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'no file, or none that is taken' })), ...responses },
}

export const removePictureSchema = {
  ...own,
  operationId: 'removePicture',
  summary: 'Remove one’s picture',
  response: { ...saved, ...responses },
}

export const ownTaxIdSchema = {
  ...own,
  operationId: 'showOwnTaxId',
  summary: 'One’s own CPF or CNPJ, masked',
  description: FRESH,
  querystring: z.object({ lang }),
  response: {
    200: pageAnswer('The number, and the form while one may change it'),
    302: redirectAnswer(`T${elsewhere.slice(1)}`),
    ...pageFaults,
  },
}

export const saveOwnTaxIdSchema = {
  ...own,
  operationId: 'saveOwnTaxId',
  summary: 'Enter one’s CPF or CNPJ, or correct it once',
  description: `A number is corrected once by its user, and after that by support alone. Three valid numbers a day. ${FRESH}`,
  body: formBodySchema(z.object({ tax_id: z.string().describe('CPF or CNPJ (with letters too), bare or as printed') })),
  response: {
    302: redirectAnswer(`To the page, or ${elsewhere}`),
    ...responses,
    400: orPage(
      refusal({
        ...UNREADABLE,
        'campos invalidos': 'no number, one whose check digits are wrong, or the one that is stored',
        'Nao foi possivel usar este numero': 'the tax id can not be used for this account; support can say more',
      }),
    ),
    409: orPage(refusal({ 'numero ja corrigido': 'its user has corrected it once' })),
  },
}
