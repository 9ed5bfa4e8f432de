// The backend sends a push for the order; then the gateway says that the Simulator has it.
http.post("http://localhost:3000/orders/7/ready", { body: "{}" })
const answer = http.get("http://localhost:2180/pushes?topic=com.example.app&text=Order%207&wait=10")
const push = json(answer.body).pushes[0]
if (!push || push.status !== 200) throw new Error("The backend has sent no push for order 7: " + answer.body)
