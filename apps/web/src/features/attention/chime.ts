/** Two soft notes. Synthesised, so there is no file to load; silent until the browser allows sound. */
export function playChime(): void {
  const context = new AudioContext();
  for (const [index, frequency] of [660, 880].entries()) {
    const at = context.currentTime + index * 0.16;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.12, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.4);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.4);
  }
  setTimeout(() => void context.close(), 1_000);
}
