// The smallest app there can be. With keys in the environment it is an external app; without them it is an internal one.
import process from 'node:process'
import { serve } from '@hono/node-server'
import { createPortaria } from '@portaria/client'
import { portariaRoutes, requireUser } from '@portaria/client/hono'
import { Hono } from 'hono'
import { html, page } from '../page.js'

const { PORT: port = '4005', PORTARIA_APP_URL: self, CONFIRM_EVERY_SECONDS: seconds = '30' } = process.env
const portaria = createPortaria({ confirmEverySeconds: Number(seconds) })
const app = new Hono()
app.use(portariaRoutes(portaria))

app.get('/', requireUser(portaria), (c) => {
  const { name, email } = c.var.user
  const signOut = `${portaria.signOutHref()}?scope=everywhere`
  return c.html(page('Rádio Maré', html`<dl><dt>Name<dd>${name}<dt>Email<dd>${email}</dl><a href="${signOut}">Sign out everywhere</a>`))
})
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => console.log(`Rádio Maré is at ${self}`))
