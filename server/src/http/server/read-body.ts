import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'
import type { BodyBudget, Coming } from './body-budget.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body as it was sent; else it is text. */
    bodyAs?: 'bytes'
  }
}

type Done = (error: Error | null, body?: string | Buffer) => void

/**
 * Reads a body, up to the limit of its route, and calls back once. Fastify's own reader keeps an object of some hundred bytes for each
 * piece, and pieces may be of one byte.
 */
export function readBody(request: FastifyRequest, payload: IncomingMessage, budget: BodyBudget, done: Done): void {
  const { bodyLimit, config } = request.routeOptions
  const announced = Number(request.headers['content-length'])
  const one: Coming = { buffer: Buffer.alloc(0), length: 0, startedAt: performance.now(), end: finish }
  /** Most come in one piece. */
  let only: Buffer | undefined
  if (announced > bodyLimit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  else payload.on('data', onData).on('end', onEnd).on('error', onFault).on('close', onFault).resume()

  function onData(piece: Buffer): void {
    if (one.length + piece.length > bodyLimit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    else if (piece.length === announced) only = piece
    else budget.take(one, piece)
  }
  function onEnd(): void {
    const body = only ?? one.buffer.subarray(0, one.length)
    if (!Number.isNaN(announced) && body.length !== announced) finish(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    else finish(null, config.bodyAs === 'bytes' ? Buffer.from(body) : body.toString('utf8'))
  }
  function onFault(fault = new Error('the connection was closed')): void {
    finish(Object.assign(fault, { statusCode: 400 }))
  }
  function finish(error: Error | null, body?: string | Buffer): void {
    budget.forget(one)
    payload.off('data', onData).off('end', onEnd).off('error', onFault).off('close', onFault)
    done(error, body)
  }
}
