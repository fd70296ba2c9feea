import { z } from 'zod'
import { faults, jsonAnswer, refusal } from '../../http/index.ts'
import { ANA } from './check-schema.ts'

export const meSchema = {
  operationId: 'getProfile',
  summary: 'The profile of the user an access token speaks for',
  tags: ['sessions'],
  security: [{ accessToken: [] }],
  response: {
    200: jsonAnswer(
      'The profile of today',
      z.object({
        id: z.uuid(),
        email: z.email().nullable().describe('null for an external product without read:email'),
        name: z.string().nullable().describe('null without the scope profile'),
        avatar_url: z.url().nullable(),
        plan: z.string().nullable(),
      }),
      { id: ANA.sub, email: ANA.email, name: ANA.name, avatar_url: null, plan: null },
    ),
    401: refusal({
      'Token ausente': 'there is no bearer token',
      'Token invalido ou expirado': 'no access token, expired, its session has ended, or its user is disabled',
    }),
    404: refusal({ 'Usuario nao encontrado': 'the token is genuine, but its user has been deleted' }),
    ...faults,
  },
}
