/** The parts of an OpenAPI 3.1 document that ours has (server/test/support/routes/describe-api.ts). */
export interface ApiDescription {
  info: { title: string; version: string; description: string }
  tags: Array<{ name: string; description: string }>
  paths: Record<string, Record<string, Operation>>
  /** Requests that Portaria makes, by the type of the event. */
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, SecurityScheme> }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Array<Record<string, string[]>>
  parameters?: Array<{ name: string; description?: string; required?: boolean; schema: Schema; example?: string }>
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer>
}

export interface Answer {
  description: string
  headers?: Record<string, { description: string }>
  content?: Record<string, Media>
}

export interface Media {
  schema: Schema
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface Schema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  examples?: unknown[]
  maxLength?: number
}

export interface SecurityScheme {
  type: string
  name?: string
  bearerFormat?: string
  description: string
}
