export interface Notice {
  /** Notifications with the same tag in several tabs show once. */
  tag: string;
  title: string;
  body: string;
  /** The page that a click opens. */
  path: string;
}

/** Shows a system notification. Through the service worker, the only way that phones support. */
export async function notify({ tag, title, body, path }: Notice): Promise<void> {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const registration = await workerRegistration();
  const options = { tag, body, icon: "/icon.svg", data: { path } };
  if (registration) return registration.showNotification(title, options);
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    window.location.assign(path);
  };
}

/** Asks for permission, once; returns whether it was granted. */
export async function askForNotifications(): Promise<"granted" | "denied" | "unsupported"> {
  if (!("Notification" in window)) return "unsupported";
  const answer = await Notification.requestPermission();
  if (answer === "granted") await workerRegistration();
  return answer === "granted" ? "granted" : "denied";
}

async function workerRegistration(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  await navigator.serviceWorker.register("/notifications.js");
  return navigator.serviceWorker.ready;
}
