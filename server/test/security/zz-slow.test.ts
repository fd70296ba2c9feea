import { it } from 'node:test'
import { sql } from 'kysely'
import { adminOf } from '../admins.ts'
import { eachDatabase } from '../databases.ts'
import { startForSuite } from '../service.ts'
import { newId } from '../../src/kit/index.ts'
eachDatabase('slow', (database) => {
  const service = startForSuite(database)
  it('q', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const db = service().house.storage.db
    const tmpl = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    const names = ['ana', 'bia', 'caio', 'davi', 'eva', 'fabio', 'gil', 'hugo', 'ines', 'joao', 'silva', 'souza', 'mota', 'nunes', 'lima', 'prado', 'rocha', 'telles', 'vieira', 'xavier']
    const N = 50_000, B = 1000
    for (let i = 0; i < N; i += B) {
      const users = [], words = []
      for (let j = i; j < i + B; j++) {
        const id = newId()
        users.push({ ...tmpl, id, email: `u${j}@example.com`, role: null })
        const w = new Set([`u${j}@example.com`, `u${j}`, 'example', names[j % 20]!, names[(j * 7 + 3) % 20]!, names[(j * 13 + 5) % 20]!])
        for (const word of w) words.push({ word, user_id: id })
      }
      await db.insertInto('users').values(users as any).execute()
      for (let k = 0; k < words.length; k += 2000) await db.insertInto('user_words').values(words.slice(k, k + 2000)).execute()
    }
    for (const analysed of [false, true]) {
    if (analysed) await sql`analyze`.execute(db)
    for (const q of ['a', 'a b c d e f g h i j l m', 'ana bia caio', 'ana bia caio davi eva fabio', 'u e a s', 'silva souza mota nunes lima prado', 'u1 u2 u3 u4 u5 u6 u7 u8 u9 a e s', 'u example a b c d', 'u example a b c d e f g h j v', 'u u1 ex exa exam examp exampl a an ana e ev']) {
      const t = performance.now()
      const a = await owner.get(`/users?q=${encodeURIComponent(q)}`)
      console.log(database.name, analysed, 'q', q, a.status, (performance.now() - t).toFixed(0) + 'ms', a.json<any>().data?.length)
    }
    for (const p of ['/users?sort=email&q=a%20e%20s%20v', '/users?disabled=true&q=a%20e%20s%20v%20u%20example']) {
      const t = performance.now()
      const a = await owner.get(p)
      console.log(database.name, analysed, p, a.status, (performance.now() - t).toFixed(0) + 'ms', a.json<any>().data?.length)
    }}
  })
})
