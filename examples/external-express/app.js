// An external app with a checkout of its own: a book club, on another domain than Portaria. Portaria says who the user is; whether they
// have paid, both say.
import process from 'node:process'
import { createPortaria } from '@portaria/client'
import { receiveEvents } from '@portaria/client/events'
import { getSession, getUser, portariaRoutes, requireUser } from '@portaria/client/express'
import express from 'express'
import { html, sendPage } from '../page.js'

const { PORT: port = '4004', PORTARIA_APP_URL: self, CONFIRM_EVERY_SECONDS: seconds = '30' } = process.env
// So late at most is seen here what happens elsewhere: a sign-out, a refund.
// Except where Portaria delivers events to /auth/events: then the home page has the new plan as soon as a purchase has arrived.
const onEvent = process.env.PORTARIA_EVENTS_SECRET
  ? receiveEvents((event) => console.log(`${event.type}: ${event.userId} ${event.type === 'access.granted' ? event.access.planSlug : ''}`))
  : undefined
const portaria = createPortaria({ confirmEverySeconds: Number(seconds), accessSeconds: Number(seconds), onEvent })
const club = await findName()
const app = express()
app.use(portariaRoutes(portaria))

app.get('/', async (request, response) => {
  const session = await getSession(request, portaria)
  const welcome = html`<p>A book a month, and users to talk about it.</p><a class="main" href="${portaria.signInHref()}">Sign in with Portaria</a>`
  sendPage(response, 200, html`${club}`, session.status === 'signed_in' ? home(session.user) : welcome)
})

/** The paid part: here the two answers meet. */
app.get('/book', requireUser(portaria), async (request, response) => {
  if (!(await findMembership(getUser(request))).isMember) return response.redirect('/checkout')
  const text = html`<p>“Uma noite destas, vindo da cidade para o Engenho Novo, encontrei num trem da Central um rapaz aqui do bairro…”</p>`
  sendPage(response, 200, 'Dom Casmurro', `${text}${html`<a href="/">${club}</a>`}`)
})

app.get('/checkout', requireUser(portaria), async (request, response) => {
  const { isMember, isPaidHere, access } = await findMembership(getUser(request))
  if (isMember) return response.redirect('/book')
  const isOnItsWay = isPaidHere && (access.reason === 'no_subscription' || access.reason === 'payment_pending')
  const wait = html`<p>Thank you. The book opens as soon as your payment is confirmed.</p><a class="main" href="/book">Look again</a>`
  const offer = html`<p>${access.reason === 'refunded' ? 'Your payment was refunded.' : 'You are not a member yet.'} A month of the club is R$ 29.</p>
    <form method="post"><button class="main">Pay R$ 29</button></form>`
  sendPage(response, 200, 'Join the club', `${isOnItsWay ? wait : offer}${html`<a href="/">${club}</a>`}`)
})

/** Stands in for your checkout, which would talk to your gateway before it believes anybody. The gateway notifies Portaria as well. */
app.post('/checkout', requireUser(portaria), (request, response) => {
  payments.set(getUser(request).id, new Date())
  response.redirect(303, '/book')
})

app.use((error, _request, response, _next) => {
  console.error(error)
  sendPage(response, 503, 'That did not work', '<p>Portaria could not be asked. Try again in a moment.</p><a href="/">Try again</a>')
})
app.listen(port, '127.0.0.1', (error) => {
  if (error) throw error // Express 5 reports it here, as of a port that is taken
  console.log(`${club} is at ${self}`)
})

/** The product's name as registered; a name of its own while Portaria is away. */
async function findName() {
  const { PORTARIA_URL = 'http://localhost:3000', PORTARIA_API_KEY } = process.env
  const headers = { authorization: `Bearer ${PORTARIA_API_KEY}` }
  const reply = await fetch(`${PORTARIA_URL}/api/products/self`, { headers, signal: AbortSignal.timeout(3000) }).catch((error) =>
    console.warn(`No name from Portaria: ${error.message}`),
  )
  return reply?.ok ? (await reply.json()).name : 'Clube do Livro'
}

/** The club's own record of who has paid, by the id that never changes. In your app it is a table. */
const payments = new Map()

/** Somebody is a member when the club's own record says that they paid *and* Portaria says the same. A question without an answer is no yes: it throws. */
async function findMembership(user) {
  const isPaidHere = payments.has(user.id)
  const access = await portaria.checkAccess({ userId: user.id })
  return { isMember: isPaidHere && access.active, isPaidHere, access }
}

function home({ name, email, planSlug }) {
  return html`<dl><dt>Name<dd>${name}<dt>Email<dd>${email}<dt>Plan<dd>${planSlug ?? 'none'}</dl>
    <a class="main" href="/book">Read this month’s book</a>
    <form method="post" action="${portaria.signOutHref()}"><button>Sign out of the club</button></form>
    <form method="post" action="${portaria.signOutHref()}?scope=everywhere"><button>Sign out everywhere</button></form>`
}
