import { z } from 'zod'
import { faults, jsonAnswer } from '../../http/index.ts'

export function protectedResourceSchema(operationId: string) {
  return {
    operationId,
    summary: 'Which server gives tokens for this API (RFC 9728)',
    description: 'Five minutes cacheable, readable from any site.',
    tags: ['sessions'],
    response: {
      200: jsonAnswer(
        'The metadata',
        z.object({
          resource: z.url().describe('what a request for a token names (RFC 8707)'),
          authorization_servers: z.array(z.url()),
          scopes_supported: z.array(z.string()),
          bearer_methods_supported: z.array(z.string()),
          resource_name: z.string(),
          resource_documentation: z.url(),
        }),
      ),
      500: faults[500],
    },
  }
}

export const jwksSchema = {
  operationId: 'getKeys',
  summary: 'Public keys that verify every token (RFC 7517)',
  description: 'Five minutes cacheable, readable from any site. The next key appears here 24 hours before it signs.',
  tags: ['sessions'],
  response: { 200: jsonAnswer('The JWK set', z.object({ keys: z.array(z.record(z.string(), z.unknown())) })), 500: faults[500] },
}
