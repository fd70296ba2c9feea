import type { FastifyRequest } from 'fastify'
import { bearerToken } from '../../http/index.ts'
import type { Product, ProductDirectory } from '../../products/index.ts'

/** The product whose key a request carries: none without the header, `unknown` for an invalid key. */
export async function callerOf(request: FastifyRequest, products: ProductDirectory): Promise<Product | undefined | 'unknown'> {
  if (request.headers.authorization === undefined) return undefined
  return (await products.findByApiKey(bearerToken(request))) ?? 'unknown'
}
