import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addImage, appearanceStore, changeAppearance, imagePath } from '../../src/appearance/index.ts'
import { tidyIfDue } from '../../src/housekeeping/index.ts'
import { DAY_MS } from '../../src/kit/index.ts'
import { eachDatabase } from '../support/databases.ts'
import { wantPng, wantSvg } from '../support/routes/brand-files.ts'
import { startService, type TestService } from '../support/service.ts'

const HOUR_MS = 3_600_000
const KEPT_MS = 90 * DAY_MS

const deps = ({ context }: TestService) => ({ ...context, actor: 'operator:test' as const })

async function add(service: TestService, content: string | Buffer): Promise<string> {
  const added = await addImage(Buffer.from(content), deps(service))
  return 'refusal' in added ? assert.fail(added.refusal) : added.hash
}

async function show(service: TestService, logoLight: string | null, productId?: string) {
  return changeAppearance(productId, { logoLight }, deps(service))
}

eachDatabase('An image of a look', (database) => {
  it('stays for ninety days after the last look that had it, and is removed then', async () => {
    const service = await startService(await database.fresh())
    const { storage } = service.context
    const images = async () => new Set((await appearanceStore(storage.db).listImages()).map(({ hash }) => hash))
    const from = service.clock.now
    const tidy = (at: number) => appearanceStore(storage.db).forgetUnusedImages({ before: at - KEPT_MS, at })
    const [old, ofProduct, dark, icon, never, again] = [
      await add(service, wantSvg()),
      await add(service, wantPng(400, 100)),
      await add(service, wantPng(300, 100)),
      await add(service, wantPng(64, 64)),
      await add(service, wantPng(200, 100)),
      await add(service, wantPng(100, 100)),
    ]
    const { product } = await service.product({ slug: 'marca' })
    await show(service, old)
    await show(service, ofProduct, product.id)
    assert.ok(!('refusal' in (await changeAppearance(undefined, { logoDark: dark, favicon: icon }, deps(service)))))
    const used = [ofProduct, dark, icon]

    // Years of use are no time without use.
    await tidy(from + 1_000 * DAY_MS)
    assert.deepEqual(await images(), new Set([old, ...used]), 'those that no look ever had are gone')
    service.clock.now = from + 1_001 * DAY_MS
    assert.deepEqual(await add(service, wantPng(100, 100)), again)
    assert.deepEqual(await add(service, wantPng(200, 100)), never)
    await show(service, never)
    const replacedAt = service.clock.now
    await tidy(replacedAt)
    assert.equal((await service.browser().get(imagePath({ hash: old, type: 'svg' }))).status, 200)
    await tidy(replacedAt + KEPT_MS)
    assert.deepEqual(await images(), new Set([old, again, never, ...used]))
    // Added once more: whoever wants to use it has time for that.
    service.clock.now = replacedAt + KEPT_MS - HOUR_MS
    await add(service, wantPng(100, 100))
    await tidy(replacedAt + KEPT_MS + 1)
    assert.deepEqual(await images(), new Set([again, never, ...used]))
    assert.deepEqual(await show(service, old), { refusal: 'field_refused', field: 'logoLight', why: 'no_such_image' })
    // Taken in the last hour by a node of an older version, which does not note it.
    await storage.db.updateTable('appearances').set({ logo_light: again }).where('scope', '=', 'operator').execute()
    await tidy(replacedAt + 3 * KEPT_MS)
    assert.deepEqual(await images(), new Set([again, never, ...used]))
  })

  it('is removed by the housekeeping', async () => {
    const service = await startService(await database.fresh())
    const { storage } = service.context
    const [due, fresh] = [await add(service, wantSvg()), await add(service, wantPng(64, 64))]
    const ago = (days: number) => service.clock.now - days * DAY_MS
    for (const [hash, days] of [
      [due, 91],
      [fresh, 89],
    ] as const)
      await storage.db
        .updateTable('brand_images')
        .set({ unused_since: ago(days) })
        .where('hash', '=', hash)
        .execute()
    await tidyIfDue(service.context)
    assert.deepEqual(
      (await appearanceStore(storage.db).listImages()).map(({ hash }) => hash),
      [fresh],
    )
  })

  it('that is taken while it is removed is either refused or there', async () => {
    const service = await startService(await database.fresh())
    const { storage, changes } = service.context
    const at = service.clock.now
    for (let round = 0; round < 40; round++) {
      const hash = await add(service, wantSvg({ width: 100 + round }))
      const forget = () => appearanceStore(storage.db).forgetUnusedImages({ before: at + 1, at })
      const [taken] = await Promise.all([show(service, hash), round % 2 ? forget() : changes.forgetOld().then(forget)])
      const isThere = (await appearanceStore(storage.db).listImages()).some((image) => image.hash === hash)
      assert.equal(isThere, !('refusal' in taken), `round ${round}`)
      await show(service, null)
    }
  })
})
