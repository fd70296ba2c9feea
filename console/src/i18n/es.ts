import type { Messages } from './pt-br.ts'
import { raEs } from './ra-es.ts'

export const es: Messages = {
  ra: raEs,
  refusal: {
    not_signed_in: 'Tu sesión terminó. Inicia sesión de nuevo para continuar.',
    foreign_origin: 'La solicitud no vino de esta página. Recarga e inténtalo de nuevo.',
    not_allowed: 'Tu función no lo permite.',
    recent_authentication: 'Para esto, confirma que eres tú. No se cambió nada.',
    second_factor: 'Para esto hace falta la verificación en dos pasos. No se cambió nada.',
    stale: 'Esto cambió desde que lo abriste. No se guardó nada.',
    bad_cursor: 'La lista cambió. Vuelve a la primera página.',
    no_such_product: 'No hay ningún producto con ese nombre en la URL.',
    impersonation: 'Estás actuando en nombre de otra persona en este navegador. Deja de hacerlo para usar la consola.',
    unreachable: 'El servicio no respondió. Revisa la conexión e inténtalo de nuevo.',
    invalid: 'El servicio no aceptó estos datos.',
    not_found: 'Esto no existe o ya no existe.',
    conflict: 'Esto no es posible en el estado actual.',
    too_large: 'Es demasiado grande. Redúcelo e inténtalo de nuevo.',
    too_many: 'Demasiadas solicitudes. Espera un minuto e inténtalo de nuevo.',
    away: 'El servicio está fuera por un momento. Inténtalo de nuevo en un minuto.',
    fault: 'El servicio encontró un error, que quedó registrado.',
  },
  field: {
    required: 'Rellena este campo',
    too_short: 'Demasiado corto',
    too_long: 'Demasiado largo',
    too_small: 'Demasiado pequeño',
    too_big: 'Demasiado grande',
    invalid_type: 'Revisa este valor',
    invalid_value: 'Este valor no se acepta',
    invalid_format: 'Revisa el formato',
    unknown: 'Campo desconocido',
    taken: 'Ya está en uso',
    malformed: 'Revisa el formato',
    missing: 'Rellena este campo',
    needs_internal: 'Solo una app interna puede tener esto',
    needs_integrated: 'Solo una app que vende por Portaria puede tener esto',
    no_such_plan: 'Este plan no existe',
    no_such_product: 'Este producto no existe',
    no_such_user: 'No hay cuenta con este correo',
    has_role: 'Esta persona ya tiene una función',
    operator_only: 'Solo las direcciones del operador pueden elegir esto',
    too_little_contrast: 'Este color cuesta leerlo: el contraste mínimo es 4,5:1',
    no_such_image: 'Esta imagen no existe',
    not_square: 'La imagen debe ser cuadrada',
    not_a_png: 'La imagen debe ser un PNG',
    needs_light_logo: 'Elige también el logo para el tema claro',
    image_too_large: 'Una imagen puede tener hasta 200 KB',
    image_empty: 'El archivo está vacío',
    not_an_image: 'Elige un SVG o un PNG',
    png_damaged: 'Este PNG está dañado',
    png_size: 'Un PNG puede tener hasta 2.000 píxeles por lado',
    svg_damaged: 'No se entiende este SVG: guárdalo como SVG simple',
    svg_element: 'Un SVG solo puede dibujar, y este tiene un elemento que hace más',
    svg_handler: 'Un SVG no puede ejecutar nada, y este reacciona a eventos',
    svg_address: 'Un SVG no puede apuntar fuera de sí mismo, y este lo hace',
    svg_style: 'Este SVG tiene un estilo que busca algo fuera',
    svg_size: 'Un SVG necesita viewBox, o ancho y alto',
    svg_too_much: 'Este SVG dibuja demasiado, o apunta a sí mismo',
    invalid: 'Revisa este valor',
  },
  resources: {
    users: {
      name: 'Persona |||| Personas',
    },
    sessions: {
      name: 'Sesión |||| Sesiones',
    },
    'failed-sign-ins': {
      name: 'Inicio de sesión rechazado |||| Inicios de sesión rechazados',
    },
    products: {
      name: 'Producto |||| Productos',
    },
    plans: {
      name: 'Plan |||| Planes',
    },
    'identity-providers': {
      name: 'Proveedor de identidad |||| Proveedores de identidad',
    },
    subscriptions: {
      name: 'Suscripción |||| Suscripciones',
    },
    transactions: {
      name: 'Pago |||| Pagos y reembolsos',
    },
    notifications: {
      name: 'Webhook |||| Webhooks',
    },
    endpoints: {
      name: 'Dirección de eventos |||| Direcciones de eventos',
    },
    events: {
      name: 'Evento |||| Eventos',
    },
    appearance: {
      name: 'Apariencia |||| Apariencia',
    },
    jobs: {
      name: 'Tarea |||| Tareas',
    },
    'signing-keys': {
      name: 'Clave de firma |||| Claves de firma',
    },
    tokens: {
      name: 'Token de API |||| Tokens de API',
    },
    administrators: {
      name: 'Administrador |||| Administradores',
    },
    audit: {
      name: 'Auditoría |||| Auditoría',
    },
  },
}
