import { defineTexts } from '../../i18n/use-texts.ts'

const names = { grafana: 'Grafana', wordpress: 'WordPress', nextcloud: 'Nextcloud', metabase: 'Metabase', authjs: 'Auth.js' }
const proxies = { nginx: 'nginx', caddy: 'Caddy', traefik: 'Traefik' }

/** The words of the ways in which an app signs its users in. */
export const doorTexts = defineTexts({
  'pt-BR': {
    on: 'Ligar',
    off: 'Desligar',
    door: 'Que tipo de app é?',
    doors: {
      client: ['Um app nosso, em JavaScript', 'Instala @portaria/client, que cuida de tudo.'],
      openid: ['Um app que fala OpenID Connect', 'Grafana, WordPress, Nextcloud, um app de página única, um app de celular.'],
      forward_auth: ['Um app sem login próprio', 'Fica atrás do nginx, do Caddy ou do Traefik, que consultam a Portaria antes.'],
    },
    which: 'Qual?',
    apps: {
      ...names,
      ...proxies,
      client: '@portaria/client',
      openid: 'Outro app com OpenID Connect',
      spa: 'App de página única',
      native: 'App de celular, computador ou terminal',
    },
    lines: 'Linhas para colar',
    linesFor: 'Para',
    linesAbout: (placeholder: string) => `Com os valores deste produto. No lugar de ${placeholder}, uma chave de API.`,
    loading: 'Carregando as linhas…',
    missing: 'Não foi possível ler as linhas agora. Elas estão na página do produto.',
  },
  en: {
    on: 'Turn on',
    off: 'Turn off',
    door: 'Which kind of app?',
    doors: {
      client: ['An app of ours, in JavaScript', 'It installs @portaria/client, which takes care of everything.'],
      openid: ['An app that supports OpenID Connect', 'Grafana, WordPress, Nextcloud, a single-page app, a phone app.'],
      forward_auth: ['An app without its own sign-in', 'It stands behind nginx, Caddy or Traefik, which ask Portaria first.'],
    },
    which: 'Which one?',
    apps: {
      ...names,
      ...proxies,
      client: '@portaria/client',
      openid: 'Another app with OpenID Connect',
      spa: 'Single-page app',
      native: 'Phone, desktop or command-line app',
    },
    lines: 'Code to paste',
    linesFor: 'For',
    linesAbout: (placeholder: string) => `With this product's values. Replace ${placeholder} with an API key.`,
    loading: 'Loading the code…',
    missing: "The code can't be loaded right now. It is on the product's page.",
  },
  es: {
    on: 'Activar',
    off: 'Desactivar',
    door: '¿Qué tipo de app es?',
    doors: {
      client: ['Una app nuestra, en JavaScript', 'Instala @portaria/client, que se ocupa de todo.'],
      openid: ['Una app que habla OpenID Connect', 'Grafana, WordPress, Nextcloud, una app de una sola página, una app de teléfono.'],
      forward_auth: ['Una app sin inicio de sesión propio', 'Está detrás de nginx, Caddy o Traefik, que preguntan antes a Portaria.'],
    },
    which: '¿Cuál?',
    apps: {
      ...names,
      ...proxies,
      client: '@portaria/client',
      openid: 'Otra app con OpenID Connect',
      spa: 'App de una sola página',
      native: 'App de teléfono, computadora o terminal',
    },
    lines: 'Líneas para pegar',
    linesFor: 'Para',
    linesAbout: (placeholder: string) => `Con los valores de este producto. En lugar de ${placeholder}, una clave de API.`,
    loading: 'Cargando las líneas…',
    missing: 'No se pudieron leer las líneas ahora. Están en la página del producto.',
  },
})
