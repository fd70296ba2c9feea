import { z } from 'zod'
import { errorBody, formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { ATTEMPT_SECURITY, BAD_FLOW, FOREIGN_ORIGIN, flow, flowQuery, OTHER_USER, tags } from '../flow/schemas.ts'

const fieldProblem = z.enum(['required', 'invalid', 'too_long', 'unusable', 'too_many_tries'])
const profileError = errorBody.extend({
  fields: z
    .object({
      full_name: fieldProblem,
      tax_id: fieldProblem,
      document_country: fieldProblem,
      document_number: fieldProblem,
      phone: fieldProblem,
      company_name: fieldProblem,
    })
    .partial()
    .optional(),
})

export const profileSchema = {
  operationId: 'showProfileStep',
  summary: 'What is still missing from the profile',
  description: `Step 1 asks for the name and for what the product requires (CPF or CNPJ, phone, company), step 2 (beta users) for the NDA. ${OTHER_USER}`,
  tags,
  security: ATTEMPT_SECURITY,
  querystring: flowQuery,
  response: {
    200: pageAnswer('The step that is next'),
    302: redirectAnswer('To /auth/welcome when nothing is missing'),
    400: orPage(refusal(BAD_FLOW)),
    ...pageFaults,
  },
}

export const saveProfileSchema = {
  operationId: 'saveProfileStep',
  summary: 'Save the profile, or answer the NDA',
  description: 'Takes the form of the step that is next; the fields of the other are not looked at.',
  tags,
  security: ATTEMPT_SECURITY,
  body: formBodySchema(
    z.object({
      flow,
      full_name: z.string().max(100).optional(),
      tax_id: z
        .string()
        .optional()
        .describe('CPF or CNPJ (with letters too), bare or as printed')
        .meta({ examples: ['529.982.247-25'] }),
      phone: z
        .string()
        .optional()
        .describe('international, or national and then Brazilian')
        .meta({ examples: ['(11) 91234-5678'] }),
      company_name: z.string().max(100).optional().describe('needed with a CNPJ'),
      document_kind: z
        .enum(['passport', 'foreign_tax_id'])
        .optional()
        .describe('in place of tax_id, where the product takes foreign documents'),
      document_country: z.string().optional().describe('ISO 3166-1 alpha-2, not BR'),
      document_number: z.string().optional().describe('letters and digits; spaces, dots, dashes and slashes do not count'),
      no_tax_id: z.literal('1').optional().describe('the user has neither CPF nor CNPJ, where the product lets them go on without'),
      profile_skip: z.literal('1').optional().describe('goes on without, where the sign-in ends at the service itself'),
      nda_accept: z.literal('1').optional(),
      nda_decline: z.literal('1').optional().describe('goes on without; asked again at the next sign-in'),
    }),
  ),
  response: {
    302: redirectAnswer('To the next step or to /auth/welcome', { 'Set-Cookie': 'eg_session with the claims of today' }),
    400: orPage(
      refusal(
        {
          'campos invalidos': 'the names of the fields and what is wrong with each stand in fields',
          'Nao foi possivel usar este numero': 'the tax id can not be used for this account; support can say more',
          'nda_accept ausente': 'neither accepted nor declined',
          ...BAD_FLOW,
        },
        { schema: profileError },
      ),
    ),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    ...pageFaults,
  },
}
