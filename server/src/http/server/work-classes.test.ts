import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRoute } from '../../../test/support/routes/every-route.ts'
import { workClassOf } from './work-classes.ts'

const EXAMPLES = {
  checks: [
    'POST /auth/verify',
    'POST /auth/token',
    'GET /api/me',
    'POST /openid/token',
    'GET /openid/userinfo',
    'GET /.well-known/jwks.json',
  ],
  pages: ['GET /login', 'GET /auth/login', 'POST /recover', 'GET /account', 'GET /docs', 'GET /openid/authorize', 'POST /account/data'],
  providers: ['GET /auth/provider/:id', 'GET /auth/callback', 'POST /auth/callback'],
  passwords: [
    'POST /login',
    'POST /sign-up',
    'POST /verify',
    'POST /reset-password',
    'POST /invitation',
    'POST /setup',
    'POST /account/password',
  ],
  notifications: ['POST /api/webhook/payment', 'POST /api/webhooks/:gateway/:key'],
  admin: ['GET /api/admin/users', 'GET /admin/*', 'GET /admin', 'GET /admin/authenticate'],
  undefined: ['GET /healthz', 'GET /readyz', 'GET /metrics'],
}

test('every route has a class of work, and each class the routes that it is meant for', async () => {
  const routes = (await everyRoute()).map(({ name, method, pattern }) => ({ name, work: String(workClassOf(method, pattern)) }))
  for (const [work, examples] of Object.entries(EXAMPLES)) {
    const own = routes.filter((route) => route.work === work).map(({ name }) => name)
    assert.deepEqual(
      examples.filter((name) => !own.includes(name)),
      [],
      work,
    )
  }
  const unshed = routes.filter(({ work, name }) => work === 'undefined' && !name.startsWith('HEAD')).map(({ name }) => name)
  assert.deepEqual(unshed, EXAMPLES.undefined)
  const admin = routes.filter(({ name }) => / \/api\/admin\//.test(name))
  assert.ok(admin.length > 100 && admin.every(({ work }) => work === 'admin'))
})
