import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addEndpoint } from '../../server/test/support/events/endpoints.ts'
import { bring } from '../../server/test/support/gateways/purchases.ts'
import type { TestService } from '../../server/test/support/service.ts'
import { until } from '../../server/test/support/until.ts'

/** The app of a product: it takes the event of one purchase, and fails at that of the next. Answers how to end it. */
export async function connectApp(service: TestService, { slug, productId }: { slug: string; productId: string }): Promise<() => void> {
  let status = 200
  const app = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 200 ? 'ok' : 'fila cheia'))
  }).listen(0, 'localhost')
  await once(app, 'listening')
  await addEndpoint(service, { url: `http://localhost:${(app.address() as AddressInfo).port}/eventos`, product: slug })
  for (const [i, email] of ['rosa.quintana@exemplo.com.br', 'vitor.sampaio@exemplo.com.br'].entries()) {
    await bring(service, {
      kind: 'paid',
      email,
      productId,
      plan: 'clube-mensal',
      scope: productId,
      ref: `pedido-${i}`,
      amount: 3_990,
      method: 'pix',
    })
    await until(async () => (await attemptsOf(service)) > i)
    status = 503
  }
  return () => {
    app.close()
    app.closeAllConnections()
  }
}

async function attemptsOf({ context: { storage } }: TestService): Promise<number> {
  return (await storage.db.selectFrom('event_attempts').select('id').execute()).length
}
