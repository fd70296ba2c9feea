import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { memoryFolder } from '../../../server/test/support/memory-folder.ts'
import { cheapPasswords, startService, type TestService } from '../../../server/test/support/service.ts'

/** The service with a user and a product for an app at `app`; on SQLite, since nothing here is about the database. */
export async function startPortariaFor(app: string, callback = '/auth/callback'): Promise<{ service: TestService; stop(): Promise<void> }> {
  const folder = mkdtempSync(path.join(memoryFolder(), 'portaria-client-'))
  const service = await startService(
    { url: `sqlite:${path.join(folder, 'portaria.db')}` },
    { stops: 'by_caller', passwords: cheapPasswords },
  )
  await service.user('ana@exemplo.com.br')
  await service.product({ slug: 'painel', name: 'Painel', uris: [app + callback] })
  const stop = async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { service, stop }
}
